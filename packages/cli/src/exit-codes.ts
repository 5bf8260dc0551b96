/** The exit codes of commands. 78 is EX_CONFIG of sysexits.h, and 130 is what a shell reports after Ctrl-C. */
export const EXIT_CODES = {
  ok: 0,
  failure: 1,
  usage: 2,
  unauthenticated: 3,
  notFound: 4,
  conflict: 5,
  forbidden: 6,
  network: 7,
  config: 78,
  canceled: 130,
} as const;
