/**
 * The email address typed into a form, truncated to the maximum length. Counting and checking logins must both read it
 * this way: otherwise, an address recognized by only one of them could be tried without being counted.
 */
export function typedAddress(form: URLSearchParams): string {
  // Surrogate pairs count as two.
  return (form.get('email') ?? '').slice(0, 640);
}
