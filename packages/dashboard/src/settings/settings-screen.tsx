import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Organization } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { actingFor, api, useCurrentUser, useHasRole } from '../api/index.ts';
import { CopyId, FactList, Loaded, Page, Problem, Section, Time, useAction, useNumber } from '../ui/index.ts';
import { DeleteOrganization } from './delete-organization.tsx';
import { useSettingsText } from './messages.ts';

/** The organization itself. */
export function SettingsScreen() {
  const t = useSettingsText();
  const isAdmin = useHasRole('admin');
  const { organization } = useCurrentUser();
  const query = useQuery({
    queryKey: ['organization', organization.id],
    queryFn: () => api().organizations.get(organization.id),
  });
  return (
    <Page title={t('title')} about={t('about')}>
      <Loaded query={query} height={480}>
        {(loaded) => (
          <Stack gap="lg">
            <Facts organization={loaded} />
            {isAdmin ? (
              <General organization={loaded} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('only_admins')}
              </Text>
            )}
            {/* Staff delete customers in the staff area, where a reason is required. */}
            {isAdmin && actingFor === undefined && <DeleteOrganization organization={loaded} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ organization }: { organization: Organization }) {
  const t = useSettingsText();
  const number = useNumber();
  const seesBilling = useHasRole('billing');
  return (
    <Section
      title={t('organization')}
      actions={
        seesBilling && (
          <Button component={Link} to="/billing-details" size="xs" variant="default">
            {t('billing_details')}
          </Button>
        )
      }
    >
      <FactList
        facts={[
          [t('id'), <CopyId key="id" id={organization.id} />],
          [t('your_role'), t(organization.role)],
          [t('members'), number(organization.member_count)],
          [t('created_at'), <Time key="created" at={organization.created_at} isExact />],
        ]}
      />
    </Section>
  );
}

function General({ organization }: { organization: Organization }) {
  const t = useSettingsText();
  const save = useAction((body: { name: string; slug: string }) => api().organizations.update(organization.id, body), {
    refreshes: [['organization'], ['organizations'], ['me']],
    says: t('saved'),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    save.mutate({ name: String(form.get('name')).trim(), slug: String(form.get('slug')).trim() });
  };
  const isTaken = save.error !== null && 'code' in save.error && save.error.code === 'already_exists';
  return (
    <Section title={t('general')}>
      <form onSubmit={send}>
        <Stack gap="md" maw={480}>
          <TextInput
            label={t('name')}
            description={t('name_hint')}
            name="name"
            defaultValue={organization.name}
            maxLength={100}
            required
          />
          <TextInput
            label={t('slug')}
            description={t('slug_hint')}
            name="slug"
            defaultValue={organization.slug}
            maxLength={63}
            pattern="[a-z0-9]+(?:-[a-z0-9]+)*"
            error={isTaken ? t('slug_taken') : undefined}
            required
          />
          {save.isError && !isTaken && <Problem error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
