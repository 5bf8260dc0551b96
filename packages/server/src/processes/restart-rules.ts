/** How many of the request processes serve the sandbox, so that it can never use up all of them. */
export function sandboxProcesses(count: number): number {
  return Math.max(1, Math.floor(count / 4));
}

/** How long to wait before a process that died is replaced: no wait unless others died right after their start. */
export function pauseBeforeRestart(quickDeaths: number): number {
  return quickDeaths <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (quickDeaths - 2), LONGEST_PAUSE_MS);
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
