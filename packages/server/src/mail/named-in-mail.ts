/**
 * A name that a person chose for themself or their organization, as a sentence of a mail shows it. Mail programs make
 * links of what looks like an address, and a name in our mail must not lead a reader to a website.
 */
export function namedInMail(name: string): string {
  return ADDRESS_LIKE.test(name.normalize('NFKC')) ? '(a name that looks like an address)' : name;
}

/** Looked for in the compatible form, in which full-width letters and signs are the plain ones. */
const ADDRESS_LIKE = /:\/\/|www\.|@/i;
