/** Lifetimes in seconds (contract §6). */
export const ACCESS_TOKEN_SECONDS = 3_600;
export const AUTHORIZATION_CODE_SECONDS = 60;
/** How long a device waits for its user, and how long its expired code is then remembered. */
export const DEVICE_CODE_SECONDS = 600;
export const DEVICE_CODE_MEMORY_SECONDS = 600;
/** The initial polling interval of a device (RFC 8628 section 3.2). */
export const DEVICE_POLL_SECONDS = 5;
/** From the last use; at most a year after the user's login. */
export const REFRESH_TOKEN_SECONDS = 30 * 86_400;
export const LONGEST_REFRESH_SECONDS = 365 * 86_400;
/** From the first page to the submission of the last. */
export const INTERACTION_SECONDS = 3_600;
/** A browser's login to the authorization server's own pages. */
export const BROWSER_LOGIN_SECONDS = 86_400;
