module taste

go 1.26
