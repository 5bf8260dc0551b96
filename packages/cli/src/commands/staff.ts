import { type Command, Option } from 'commander';
import { columns, print } from '../output.ts';
import { withInstallation } from '../with-installation.ts';

type StaffRole = 'viewer' | 'support' | 'finance' | 'owner';

interface EnvironmentOptions {
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold staff …`: the vendor's own people, and what they may do. */
export function addStaffCommand(program: Command): void {
  const staff = program
    .command('staff')
    .usage('add <email> --role <role> | list | set-role <email> --role <role> | remove <email>')
    .description("Manage the vendor's staff and their roles.");
  inEnvironment(
    staff
      .command('add')
      .description('Add a person. A new person gets a one-time link, valid for 30 minutes, to set up their account.'),
  )
    .argument('<email>', "the person's email address")
    .addOption(roleOption())
    .addHelpText('after', '\nExample:\n  $ seathold staff add grace@example.com --role support')
    .action(add);
  inEnvironment(staff.command('list').description('List the staff, owners first.')).action(list);
  inEnvironment(staff.command('set-role').description('Give a person another role. It counts from their next request.'))
    .argument('<email>', "the person's email address")
    .addOption(roleOption())
    .action(setRole);
  inEnvironment(staff.command('remove').description('Remove a person from the staff. Their account stays.'))
    .argument('<email>', "the person's email address")
    .action(remove);
}

function inEnvironment(command: Command): Command {
  return command.option('--sandbox', 'use the sandbox instead of production').option('--json', 'print JSON');
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the person may do')
    .choices(['viewer', 'support', 'finance', 'owner'])
    .makeOptionMandatory();
}

const staffOf = () => import('@seathold/server/operator/manage-staff');

async function add(email: string, options: EnvironmentOptions & { role: StaffRole }): Promise<void> {
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) => {
    const environment = options.sandbox === true ? 'sandbox' : 'production';
    const added = await operator.operatorAddStaff(installation, environment, { email, role: options.role });
    const next =
      added.setup_url === null
        ? ['The role counts for logins with two-factor authentication.']
        : ['Send this link to them. It works once, for 30 minutes:', '', `  ${added.setup_url}`, ''];
    print(options.json === true, added, [`${added.email} is on the staff with the role ${added.role}.`, ...next]);
  });
}

async function list(options: EnvironmentOptions): Promise<void> {
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) => {
    const staff = await operator.operatorListStaff(installation);
    const lines = columns(
      staff.map(({ email, role, two_factor_enabled: isOn }) => [
        email,
        `${role.padEnd(7)}  ${isOn ? 'two-factor on' : 'two-factor off'}`,
      ]),
    );
    print(options.json === true, staff, staff.length === 0 ? ['No staff.'] : lines);
  });
}

async function setRole(email: string, options: EnvironmentOptions & { role: StaffRole }): Promise<void> {
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) => {
    const changed = await operator.operatorSetStaffRole(installation, email, options.role);
    print(options.json === true, changed, [`${changed.email} has the role ${changed.role}.`]);
  });
}

async function remove(email: string, options: EnvironmentOptions): Promise<void> {
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) => {
    const removed = await operator.operatorRemoveStaff(installation, email);
    print(options.json === true, removed, [`${removed.email} is no longer on the staff.`]);
  });
}
