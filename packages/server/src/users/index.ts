export { parseEmail } from './email-rules.ts';
export { countWrongPassword, findUserByEmail, insertUser, recordLogin, type UserForLogin } from './queries.ts';
export { EmailInput, NameInput, User, UserSummary } from './schemas.ts';
