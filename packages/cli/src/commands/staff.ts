import { type Command, Option } from 'commander';
import { findOperatorUrl } from '../access/find-operator-access.ts';
import { listAll } from '../operator/list-all.ts';
import { addOperatorOptions, type OperatorOptions } from '../operator/options.ts';
import { requireStaffMember } from '../operator/require-staff-member.ts';
import { withOperator } from '../operator/with-operator.ts';
import { columns, print } from '../output.ts';
import { withInstallation } from '../with-installation.ts';

type StaffRole = 'viewer' | 'support' | 'finance' | 'owner';

/** `seathold staff …`: the vendor's staff and their roles. */
export function addStaffCommand(program: Command): void {
  const staff = program
    .command('staff')
    .usage('add <email> --role <role> | list | set-role <email> --role <role> | remove <email>')
    .description("Manage the vendor's staff and their roles.");
  addOperatorOptions(
    staff
      .command('add')
      .description(
        'Add a staff member. A new person gets a one-time link, valid for 30 minutes, to set up their account.',
      ),
  )
    .argument('<email>', "the person's email address")
    .addOption(roleOption())
    .addHelpText('after', '\nExample:\n  $ seathold staff add grace@example.com --role support')
    .action(add);
  addOperatorOptions(staff.command('list').description('List the staff, owners first.')).action(list);
  addOperatorOptions(
    staff
      .command('set-role')
      .description('Change the role of a staff member. It takes effect with their next request.'),
  )
    .argument('<email>', "the person's email address")
    .addOption(roleOption())
    .action(setRole);
  addOperatorOptions(staff.command('remove').description('Remove a staff member. They keep their account.'))
    .argument('<email>', "the person's email address")
    .action(remove);
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the person may do')
    .choices(['viewer', 'support', 'finance', 'owner'])
    .makeOptionMandatory();
}

const staffOf = () => import('@seathold/server/operator/manage-staff');

async function add(email: string, options: OperatorOptions & { role: StaffRole }): Promise<void> {
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) => {
      const added = await client.operator.addStaffMember({ email, role: options.role });
      const next = added.two_factor_enabled
        ? []
        : [
            'The role takes effect once they log in with two-factor authentication. A new person gets a one-time link by email.',
          ];
      print(options.json === true, added, [`${added.email} is now on the staff with the role ${added.role}.`, ...next]);
    });
  }
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) => {
    const environment = options.sandbox === true ? 'sandbox' : 'production';
    const added = await operator.operatorAddStaff(installation, environment, { email, role: options.role });
    const next =
      added.setup_url === null
        ? ['The role takes effect for logins with two-factor authentication.']
        : ['Send them this link. It works once and expires in 30 minutes:', '', `  ${added.setup_url}`, ''];
    print(options.json === true, added, [`${added.email} is now on the staff with the role ${added.role}.`, ...next]);
  });
}

interface Member {
  email: string;
  role: StaffRole;
  two_factor_enabled: boolean;
}

async function list(options: OperatorOptions): Promise<void> {
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) =>
      show(await listAll(client.operator.listStaff({ limit: 100 })), options),
    );
  }
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) =>
    show(await operator.operatorListStaff(installation), options),
  );
}

function show(staff: readonly Member[], { json }: OperatorOptions): void {
  const lines = columns(
    staff.map(({ email, role, two_factor_enabled: isOn }) => [
      email,
      `${role.padEnd(7)}  ${isOn ? 'two-factor on' : 'two-factor off'}`,
    ]),
  );
  print(json === true, staff, staff.length === 0 ? ['No staff.'] : lines);
}

async function setRole(email: string, options: OperatorOptions & { role: StaffRole }): Promise<void> {
  const tell = (changed: Member) =>
    print(options.json === true, changed, [`${changed.email} now has the role ${changed.role}.`]);
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) => {
      const { user_id: id } = await requireStaffMember(client, email);
      tell(await client.operator.changeStaffRole(id, { role: options.role }));
    });
  }
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) =>
    tell(await operator.operatorSetStaffRole(installation, email, options.role)),
  );
}

async function remove(email: string, options: OperatorOptions): Promise<void> {
  const tell = (removed: Member) =>
    print(options.json === true, removed, [`${removed.email} is no longer on the staff.`]);
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) => {
      const member = await requireStaffMember(client, email);
      await client.operator.removeStaffMember(member.user_id);
      tell(member);
    });
  }
  await withInstallation(staffOf, options.sandbox === true, async (operator, installation) =>
    tell(await operator.operatorRemoveStaff(installation, email)),
  );
}
