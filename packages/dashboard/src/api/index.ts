export { actingFor, basePath, PERSONAL_PATHS } from './acting.ts';
export { actsWithToken, actWithToken, api, chooseOrganization, chosenOrganization, personalApi } from './client.ts';
export { currentUser, useCurrentUser, useHasRole } from './current-user.ts';
export { eventTypes } from './event-types.ts';
export { endSession, logOut } from './log-out.ts';
export { isLoggedOut, type Listed, queryClient, useList, useWholeList } from './queries.ts';
export {
  askForCode,
  isRead,
  lastWriteId,
  type RecordedCall,
  useIsCodeAsked,
  useRecordedCalls,
} from './recorded-calls.ts';
export { noteClockOffset, sandboxClock, useClockOffset } from './sandbox-clock.ts';
export { tellOtherTabs, watchSession } from './session-watch.ts';
export { includesStaffRole, type StaffRole, useStaffRole } from './staff.ts';
