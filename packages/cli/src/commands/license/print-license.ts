import { columns, print } from '../../output.ts';

/** Prints a license for a command on the server. */
export function printLicense(license: object, { json }: { json?: boolean }): void {
  const lines = columns(Object.entries(license).map(([name, value]) => [name, String(value ?? 'never')]));
  print(json === true, license, lines);
}
