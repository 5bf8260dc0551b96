import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { personalApi } from '../../api/index.ts';
import { Command } from '../../app/command.tsx';
import { EmptyState, Loaded, Page, useFilters } from '../../ui/index.ts';
import { Explanation } from './explanation.tsx';
import { useStaffLicensesText } from './messages.ts';

const NAMES = ['email', 'user_id', 'license_key', 'license_id'] as const;
type Question = Partial<Record<(typeof NAMES)[number], string>>;

/** Explains why a user can or cannot get a seat of a license. */
export function ExplainScreen() {
  const t = useStaffLicensesText();
  const [question, ask] = useFilters(NAMES);
  const user = question.user_id ?? question.email ?? '';
  const license = question.license_id ?? question.license_key ?? '';
  const isAsked = user !== '' && license !== '';
  return (
    <Page title={t('explain_title')} about={t('explain_about')}>
      <QuestionForm key={`${user} ${license}`} user={user} license={license} ask={ask} />
      {isAsked ? (
        <Answer question={question} />
      ) : (
        <div className="card">
          <EmptyState icon="docs" title={t('explain_empty')} text={t('explain_empty_text')}>
            <Command
              text="seathold explain --email ada@example.com --key ABCDE-FGHJK-MNPQR-STVWX"
              label={t('explain_title')}
            />
          </EmptyState>
        </div>
      )}
    </Page>
  );
}

function QuestionForm(props: { user: string; license: string; ask: (question: Question) => void }) {
  const { user, license, ask } = props;
  const t = useStaffLicensesText();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [who, what] = ['user', 'license'].map((name) => String(form.get(name)).trim());
    ask({
      [who?.includes('@') ? 'email' : 'user_id']: who ?? '',
      [what?.startsWith('lic_') ? 'license_id' : 'license_key']: what ?? '',
    });
  };
  return (
    <form onSubmit={send}>
      <Group gap="xs" align="flex-end">
        <TextInput label={t('who')} name="user" defaultValue={user} maxLength={254} required miw={260} />
        <TextInput label={t('what')} name="license" defaultValue={license} maxLength={128} required miw={260} />
        <Button type="submit">{t('explain')}</Button>
      </Group>
    </form>
  );
}

function Answer({ question }: { question: Question }) {
  const query = useQuery({
    queryKey: ['staff', 'explain', question],
    queryFn: ({ signal }) => personalApi().operator.explain(question, { signal }),
  });
  return (
    <Loaded query={query} height={320}>
      {(explanation) => <Explanation explanation={explanation} />}
    </Loaded>
  );
}
