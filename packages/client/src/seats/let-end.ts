/** Lets the program end while the timer runs. In a browser, timers are numbers, and nothing waits for them. */
export function letEnd(timer: unknown): void {
  Object(timer).unref?.();
}
