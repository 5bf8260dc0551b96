/** A phrase that the project does not use. */
export interface Phrase {
  /** A regular expression without regard to case. A space also matches the end of a line, in a comment too. */
  readonly pattern: string;
  readonly instead: string;
}

/** Phrases that read as translated, and words that the glossary has another word for. */
export const PHRASES: readonly Phrase[] = [
  { pattern: 'whoever', instead: 'name the person or program: "a user who …", "the process that …"' },
  { pattern: 'of which', instead: 'begin a new sentence' },
  { pattern: 'comes? to nothing', instead: 'is canceled, fails, costs nothing' },
  { pattern: '(?:is|are|was|were) told', instead: 'gets an event, a mail, an answer' },
  { pattern: 'told of', instead: 'is notified of, gets an event about' },
  { pattern: 'tells? of', instead: 'reports, describes, says about' },
  { pattern: 'somebody|anybody', instead: 'someone, anyone' },
  { pattern: 'in vain', instead: 'without success' },
  { pattern: 'untold', instead: 'unreported' },
  { pattern: 'so it is with', instead: 'the same goes for' },
  { pattern: 'for ever', instead: 'forever, always' },
  { pattern: 'anew', instead: 'again' },
  { pattern: '(?:can|could|may|to) be had', instead: 'is available, can be reproduced' },
  { pattern: 'dead at', instead: 'is refused at' },
  { pattern: 'what became of', instead: 'the outcome of' },
  { pattern: 'for want of', instead: 'without, because there is no' },
  { pattern: 'whatever else', instead: 'regardless of' },
  { pattern: 'be it of', instead: 'of' },
  { pattern: 'nobody is asked', instead: 'say what does not happen' },
  { pattern: 'shall', instead: 'must, may' },
  { pattern: 'mend', instead: 'fix' },
  { pattern: 'whitelist', instead: 'allowlist' },
  { pattern: 'own logins', instead: 'your sessions' },
  { pattern: 'this cannot go on', instead: 'something went wrong' },
  { pattern: 'everybody', instead: 'everyone' },
  { pattern: 'but for(?! (?:a|the) moment)', instead: 'except for' },
  { pattern: 'f(?:alls?|ell|alling) due', instead: 'becomes due' },
  { pattern: '(?:stands?|stood) in(?! for)', instead: 'is in, appears in' },
  { pattern: '(?:is|are) to be', instead: 'must be, has to be, is about to be' },
  { pattern: 'knows? nothing of', instead: 'knows nothing about' },
  { pattern: '(?:for|to|of|with|by) whom', instead: 'who … for, the person that …' },
  { pattern: 'keeps? to (?:its|their|the)', instead: 'follows, respects' },
  { pattern: 'on paper alone|for itself alone', instead: 'only on paper, by itself' },
  { pattern: 'thereby|therein|thereof|wherein|hitherto|henceforth', instead: 'by this, in it, until now' },
];

/** A file, or all files of a folder, that may contain a phrase. */
export interface PhraseException {
  readonly path: string;
  /** The pattern of the phrase. */
  readonly pattern: string;
  readonly reason: string;
}

/** The check fails if one of these is no longer needed. */
export const PHRASE_EXCEPTIONS: readonly PhraseException[] = [];
