import type { StaffRole } from '../../src/http/index.ts';
import { execute, type Member, type TestApp } from './index.ts';
import { type MovedClock, registerWithTwoFactor, type TwoFactorMember } from './two-factor.ts';

/** Gives a user a staff role, changes it, or removes it with null. */
export async function makeStaff(test: TestApp, { userId }: Member, role: StaffRole | null): Promise<void> {
  await execute(test.database, 'delete from staff_members where user_id = $1', [userId]);
  if (role !== null) {
    await execute(
      test.database,
      'insert into staff_members (user_id, role, created_at) values ($1, $2, clock_timestamp())',
      [userId, role],
    );
  }
}

/** Registers a staff member whose login has passed two-factor. */
export async function registerStaff(test: TestApp, clock: MovedClock, role: StaffRole): Promise<TwoFactorMember> {
  const member = await registerWithTwoFactor(test, clock);
  await makeStaff(test, member, role);
  return member;
}
