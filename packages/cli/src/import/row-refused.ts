/** What a row asks for that the service cannot do. */
export class RowRefused extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
