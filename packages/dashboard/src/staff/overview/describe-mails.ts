/** The service counts waiting mails up to this many. */
const COUNTED_UP_TO = 10_000;

/** How many mails wait, as far as they were counted. */
export function describeMails(count: number, format: (count: number) => string): string {
  return count >= COUNTED_UP_TO ? `${format(COUNTED_UP_TO)}+` : format(count);
}
