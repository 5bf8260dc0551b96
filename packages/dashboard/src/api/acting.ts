/** An organization that staff act for is in the address, so that each tab has its own, and none is kept anywhere. */
const found = /^\/act-for\/(org_[0-9a-z]{26})(?=\/|$)/.exec(window.location.pathname);

/** The customer that this tab acts for; undefined where people act for themselves. Another one is another page load. */
export const actingFor: string | undefined = found?.[1];

/** What the addresses of this tab's screens begin with. */
export const basePath: string = found?.[0] ?? '/';

/** What belongs to the person and to no organization. Nobody does it for someone else. */
export const PERSONAL_PATHS: readonly string[] = ['/account', '/api-keys', '/oauth-apps', '/connected-apps'];
