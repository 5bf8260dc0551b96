/** Invalid settings: every problem by name, with the fix. */
export class InvalidSettings extends Error {
  readonly problems: ReadonlyArray<{ name: string; problem: string }>;

  constructor(problems: ReadonlyArray<{ name: string; problem: string }>) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
    this.problems = problems;
  }
}
