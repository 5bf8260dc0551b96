import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { personalApi } from '../../api/index.ts';
import { CopyId, FactList, Loaded, Page, Section, Time, useNumber } from '../../ui/index.ts';
import { CustomerId, LinkedId, useStaffText } from '../frame/index.ts';
import { useSearchText } from './messages.ts';

/** The record of one request, found by the ID in an error message. */
export function RequestScreen() {
  const t = useSearchText();
  const common = useStaffText();
  const number = useNumber();
  const { requestId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['staff', 'requests', requestId],
    queryFn: () => personalApi().operator.getRequestRecord(requestId),
  });
  return (
    <Page title={t('request')} about={<CopyId id={requestId} />}>
      <Loaded query={query}>
        {(record) => (
          <Section title={t('request_about')}>
            <FactList
              facts={[
                [t('at'), <Time key="at" at={record.at} isExact />],
                [t('method'), <code key="method">{record.method}</code>],
                [t('route'), <code key="route">{record.route ?? '–'}</code>],
                [t('status'), <code key="status">{record.status}</code>],
                [t('code'), record.code === null ? t('none') : <code key="code">{record.code}</code>],
                [t('duration'), t('ms', { count: number(record.duration_ms) })],
                [t('caller'), <Caller key="caller" id={record.user_id} />],
                [
                  common('customers'),
                  record.organization_id === null ? '–' : <CustomerId key="customer" id={record.organization_id} />,
                ],
              ]}
            />
          </Section>
        )}
      </Loaded>
    </Page>
  );
}

/** A user has a page; an operator token has none. */
function Caller({ id }: { id: string | null }) {
  if (id === null) {
    return '–';
  }
  return id.startsWith('usr_') ? <LinkedId id={id} to={`/staff/users/${id}`} /> : <CopyId id={id} />;
}
