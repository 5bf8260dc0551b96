/** A moment as the value of a datetime-local field, in the viewer's zone. */
export function toLocalInput(at: string | Date): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment in such a field; null if it is empty. */
export function fromLocalInput(text: string): string | null {
  return text === '' ? null : new Date(text).toISOString();
}

/**
 * The moment at which a day begins in the viewer's zone; invalid text is returned unchanged, so that the service
 * reports it.
 */
export function startOfDay(day: string): string {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? day : date.toISOString();
}
