/** A moment as a field of the type datetime-local shows it, in the viewer's zone. */
export function toLocalInput(at: string | Date): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such a field names; null if it is empty. */
export function fromLocalInput(text: string): string | null {
  return text === '' ? null : new Date(text).toISOString();
}

/** The moment at which a day begins in the viewer's zone; the text as it is if it is no day, so that the service says so. */
export function startOfDay(day: string): string {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? day : date.toISOString();
}
