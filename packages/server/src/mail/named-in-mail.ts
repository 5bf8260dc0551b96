/**
 * A name that a user chose for themselves or their organization, for use in a sentence of a mail. Mail clients turn
 * text that looks like an address into links, and a name in our mail must not lead to a website.
 */
export function namedInMail(name: string): string {
  return ADDRESS_LIKE.test(name.normalize('NFKC')) ? '(a name that looks like an address)' : name;
}

/** Matched in the compatibility form, in which full-width letters and signs become plain ones. */
const ADDRESS_LIKE = /:\/\/|www\.|@/i;
