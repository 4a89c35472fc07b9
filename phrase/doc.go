// Package phrase turns speech acts into English and back.
//
// A book (one or more YAML files) declares slot types and acts; an act has
// slots and wordings in a small template language, and one wording stands for
// many surface forms. The same wordings serve the scenario of a task ("You
// want to …"), the customer's speech ("I want to …") and the agent's
// restatement. What Render writes, Parse reads back to the same act.
//
// The template language of a wording:
//
//	word            as it stands; the first letter of a sentence is raised
//	(a|b|c)         one of the alternatives, which may be empty and may nest
//	[a|b]           one of the alternatives or nothing
//	{slot}          the value of a slot in the default form of its type
//	{slot:form}     the value in another form that its type declares
//	{slot bag|bags} a number and the noun that agrees with it
//	{slot~is|are}   only the word that agrees with the number, or with a value
//	                that the book calls plural
//	<you>           a pronoun token of the book, by person
//	<a>             "a" or "an" by the word that follows
//	^               at the start of a wording: it opens with an adverbial, so
//	                that only a connector with a colon goes before it
//	{slot=value}    at the start: the wording stands for this value
//	{slot!=value}   at the start: the wording is not used for this value
//	{2 act}         at the start: it stands only behind two of these details
//	{no x|y}        at the start: it stands in no scenario with a twist whose name
//	                begins so
//	\(              the next character as it stands
//
// A wording is one sentence. Without a closing mark it gets a full stop.
// Matching ignores case (save in slot values), commas and quotes.
package phrase
