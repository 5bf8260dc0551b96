import { NativeSelect, TextInput } from '@mantine/core';
import type { IssueOperatorLicenseBody } from '@seathold/client';
import { useNavigate } from '@tanstack/react-router';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction } from '../../ui/index.ts';
import { useStaffLicensesText } from './messages.ts';
import { readTerms, TermsFields } from './terms-fields.tsx';

const TIERS = ['pro', 'free', 'enterprise'] as const;

/** The dialog that issues a license without a subscription. */
export function IssueLicense({ organizationId, close }: { organizationId: string; close: () => void }) {
  const t = useStaffLicensesText();
  const navigate = useNavigate();
  const issue = useAction((body: IssueOperatorLicenseBody) => personalApi().operator.issueLicense(body), {
    refreshes: [['staff', 'licenses']],
    says: ({ key }) => t('was_issued', { key }),
    succeeds: ({ id }) => void navigate({ href: `/staff/licenses/${id}` }),
  });
  return (
    <FormDialog
      title={t('issue')}
      isOpen
      close={close}
      submit={t('issue')}
      action={issue}
      read={(form) => ({
        ...readTerms(form),
        organization_id: String(form.get('organization_id')).trim(),
        tier: TIERS.find((each) => each === form.get('tier')) ?? 'pro',
      })}
    >
      <TextInput
        label={t('organization_id')}
        name="organization_id"
        defaultValue={organizationId}
        placeholder="org_…"
        maxLength={64}
        required
        data-autofocus
      />
      <TermsFields />
      <NativeSelect label={t('tier')} description={t('tier_hint')} name="tier" data={[...TIERS]} />
    </FormDialog>
  );
}
