export {
  type AccountRow,
  findUserById,
  hasUsers,
  listUserEmails,
  lockUserById,
  lockUsersByEmail,
  type ProfileRow,
  updateEmailVerified,
  updateForgottenPassword,
  updatePassword,
  updateUserProfile,
} from './account-queries.ts';
export { avatarUrlOf } from './avatar-url.ts';
export {
  type DeletedUserRow,
  deleteUser,
  listDeletedUsers,
  listUnverifiedUsers,
  type UnverifiedUserRow,
  updateUserDeleted,
} from './deletion-queries.ts';
export { parseEmail } from './email-rules.ts';
export {
  findOperatedUser,
  listUsersOfAll,
  OPERATED_USER_LIST,
  type OperatedUserRow,
  updateLastLogin,
} from './operated-list.ts';
export {
  claimLockNotices,
  findUserByEmail,
  findUserForLogin,
  insertUser,
  type LockedUser,
  lockNoticesWait,
  lockUserForLogin,
  type UserForLogin,
  updateFailedLogins,
  updateFailedLoginsToZero,
  updatePasswordHash,
} from './queries.ts';
export { AccountEmailInput, AvatarUrl, EmailInput, NameInput, User, UserSummary } from './schemas.ts';
