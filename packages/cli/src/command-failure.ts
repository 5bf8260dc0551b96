/** Ends a command before its work is done; the code determines the exit code. */
export class CommandFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
