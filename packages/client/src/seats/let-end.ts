/** Lets the program end while the timer runs. In a browser, timers are numbers and do not block anything. */
export function letEnd(timer: unknown): void {
  Object(timer).unref?.();
}
