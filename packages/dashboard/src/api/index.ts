export { actingFor, basePath, PERSONAL_PATHS } from './acting.ts';
export { actWithToken, api, chooseOrganization, personalApi } from './client.ts';
export { currentUser, useCurrentUser, useHasRole } from './current-user.ts';
export { logOut } from './log-out.ts';
export { isLoggedOut, type Listed, queryClient, useList } from './queries.ts';
export { includesStaffRole, type StaffRole, useStaffRole } from './staff.ts';
