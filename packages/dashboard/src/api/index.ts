export { api, chooseOrganization, personalApi } from './client.ts';
export { currentUser, useCurrentUser, useHasRole } from './current-user.ts';
export { isLoggedOut, type Listed, queryClient, useList } from './queries.ts';
