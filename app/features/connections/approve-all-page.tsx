import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { ReasonInput } from '#app/components/form/ask/reason-input.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Effect } from '#app/features/connections/capability-card.tsx';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import type { LoadedCapability, LoadedConnection } from '#app/features/connections/load-connection.server.ts';

/** Everything that one press approves, with the risk of each; capabilities that must be read first are listed and left out. */
export function ApproveAllPage({ connection, reasonMissing }: { connection: LoadedConnection; reasonMissing: boolean }) {
  const { t } = useTranslation(['connections', 'control']);
  const format = useFormats();
  const { base, words } = CONNECTION_AREAS[connection.kind];
  const here = href(`${base}/:connection`, { connection: connection.id });
  const listed = connection.capabilities.filter(isPlain);
  return (
    <PageFrame
      title={t('approveAll.title', { name: connection.name })}
      description={t('approveAll.description')}
      breadcrumbs={[
        { label: t(words.title), to: href(base) },
        { label: connection.name, to: here },
      ]}
    >
      <DataTable
        caption={t('approveAll.table')}
        rows={connection.capabilities}
        rowKey={(capability) => capability.id}
        columns={[
          {
            key: 'name',
            header: t('columns.name'),
            cell: (capability) => (
              <>
                <bdi>{capability.title}</bdi>
                <code dir="ltr" className="block text-sm font-normal wrap-anywhere text-muted">
                  {capability.name}
                </code>
              </>
            ),
          },
          { key: 'status', header: t('columns.status'), cell: (capability) => <StatusWord status={capability.state} /> },
          { key: 'risk', header: t('approveAll.risk'), cell: (capability) => <Effect effect={capability.effect} /> },
          {
            key: 'approved',
            header: t('approveAll.included'),
            cell: (capability) =>
              isPlain(capability) ? (
                t('approveAll.yes')
              ) : (
                <Link to={`${here}?q=${encodeURIComponent(capability.name)}`} className="text-link">
                  {t('approveAll.readFirst')}
                </Link>
              ),
          },
        ]}
        empty={<EmptyState title={t('approveAll.empty')} action={<ButtonLink to={here}>{t('approveAll.back')}</ButtonLink>} />}
      />
      <KeyPaging url={connection.url} next={connection.next} />
      <CommandForm hidden={{}} className="mt-6 flex flex-wrap gap-3">
        {listed.map(({ id, fingerprint }) => (
          <input key={id} type="hidden" name="offered" value={`${id}:${fingerprint}`} />
        ))}
        {listed.length > 0 && connection.asksSecondPerson ? (
          <ReasonInput hint={t('control:ask.toolsHint')} missing={reasonMissing} />
        ) : null}
        {listed.length === 0 ? null : (
          <SubmitButton name="intent" value="approveAll" busyLabel={t('page.approving')}>
            {t('approveAll.submit', { total: format.number(listed.length) })}
          </SubmitButton>
        )}
        {connection.capabilities.length === 0 ? null : <ButtonLink to={here}>{t('approveAll.back')}</ButtonLink>}
      </CommandForm>
    </PageFrame>
  );
}

/** Safe to approve in a list: changes and findings are read one by one. */
function isPlain({ approvable, state, findings, lookAlikes }: LoadedCapability): boolean {
  return approvable && state === 'pending' && findings.length === 0 && lookAlikes.length === 0;
}
