import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { AuditTable } from '#app/features/audit/audit-table.tsx';
import type { LoadedRunProof } from '#app/features/audit/load-run-proof.server.ts';
import { VerifyPanel } from '#app/features/audit/verify-panel.tsx';

/** The proof of a run: what the log says of it, and every step of it checked against the entry that closed it. */
export function RunProofPage({ proof }: { proof: LoadedRunProof }) {
  const { t } = useTranslation('audit');
  const format = useFormats();
  return (
    <PageFrame
      title={t('runProof.title', { name: format.runName(proof) })}
      description={t('runProof.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/audit') }]}
      actions={<ButtonLink to={href('/dashboard/runs/:run', { run: proof.id })}>{t('runProof.toRun')}</ButtonLink>}
    >
      <Section title={t('verify.title')}>
        {proof.journal === null ? (
          <Notice kind="info" title={t('runProof.open')} />
        ) : (
          <div className="mb-4">
            {t('runProof.journal')} <Digest value={proof.journal} />
          </div>
        )}
        {proof.mayExport ? (
          <VerifyPanel
            evidence={href('/dashboard/audit/evidence/run/:run', { run: proof.id })}
            file={`evidence-run-${proof.number}.json`}
            serverKey={proof.key}
          />
        ) : (
          <p className="text-muted">{t('verify.needsExport')}</p>
        )}
      </Section>
      {proof.signed.length === 0 ? null : (
        <Section title={t('runProof.signed')}>
          <ul className="grid gap-1">
            {proof.signed.map(({ approval, title }) => (
              <li key={approval}>
                <Link className="text-link py-0.5" to={href('/dashboard/approvals/:approval/record', { approval })}>
                  <bdi>{title}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('runProof.events')}>
        <AuditTable
          caption={t('runProof.events')}
          rows={proof.rows}
          empty={<EmptyState title={t('empty.title')} description={t('scopeOwn')} />}
        />
      </Section>
    </PageFrame>
  );
}
