export {
  type AccountRow,
  findUserById,
  lockUserById,
  lockUsersByEmail,
  markEmailVerified,
  type ProfileRow,
  resetPassword,
  updatePassword,
  updateProfile,
} from './account-queries.ts';
export { avatarUrlOf } from './avatar-url.ts';
export {
  type DeletedUser,
  deleteUser,
  endAccount,
  listDeletedUsers,
  listUnverifiedUsers,
  type UnverifiedUser,
} from './deletion-queries.ts';
export { parseEmail } from './email-rules.ts';
export {
  countFailedLogin,
  findUserByEmail,
  findUserForLogin,
  insertUser,
  type LockedUser,
  lockUserForLogin,
  recordLogin,
  takeLocksToTell,
  type UserForLogin,
  updatePasswordHash,
} from './queries.ts';
export { AvatarUrl, EmailInput, NameInput, User, UserSummary } from './schemas.ts';
