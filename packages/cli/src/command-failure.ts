/** What ends a command before it has done its work; the code decides how it exits. */
export class CommandFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
