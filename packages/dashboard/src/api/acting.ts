/** The organization that staff act for is in the URL, so that each tab has its own, and it is not stored anywhere. */
const found = /^\/act-for\/(org_[0-9a-z]{26})(?=\/|$)/.exec(window.location.pathname);

/** The customer that this tab acts for; undefined if people act for themselves. Changing it reloads the page. */
export const actingFor: string | undefined = found?.[1];

/** The URL prefix of this tab's screens. */
export const basePath: string = found?.[0] ?? '/';

/** Paths that belong to the person and not to an organization, which staff cannot use for others. */
export const PERSONAL_PATHS: readonly string[] = ['/account', '/api-keys', '/oauth-apps', '/connected-apps'];
