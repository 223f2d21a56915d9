import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { FactList } from '#app/features/approvals/facts/fact-list.tsx';
import type { LoadedTogether } from '#app/features/approvals/together/load-together.server.ts';

const FORM = 'together';

/** Approvals of low risk that ask the same, each with its facts, ticked one by one and approved with one press. */
export function TogetherPage({ together: { approval, rows } }: { together: LoadedTogether }) {
  const { t } = useTranslation('approvals');
  const hydrated = useHydrated();
  const back = href('/dashboard/approvals/:approval', { approval });
  return (
    <PageFrame
      title={t('together.title')}
      description={t('together.text')}
      breadcrumbs={[{ label: t('inbox.title'), to: href('/dashboard/approvals') }]}
    >
      {rows.length === 0 ? (
        <EmptyState
          title={t('together.empty')}
          description={t('together.emptyText')}
          action={<ButtonLink to={href('/dashboard/approvals')}>{t('desk.all')}</ButtonLink>}
        />
      ) : (
        <Form method="post" id={FORM} className="grid gap-4">
          <WorkspaceInput />
          <label className={`inline-flex min-h-8 items-center gap-2 ${withScriptsOnly(hydrated)}`}>
            <input
              type="checkbox"
              className="size-5 accent-accent"
              onChange={({ target }) => {
                for (const box of document.querySelectorAll<HTMLInputElement>(`#${FORM} input[name=approval]`))
                  box.checked = target.checked;
              }}
            />
            {t('together.all')}
          </label>
          <ul aria-label={t('inbox.caption')} className="grid gap-3">
            {rows.map((row) => (
              <TogetherItem key={row.id} row={row} />
            ))}
          </ul>
          <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-edge bg-paper px-4 py-3 sm:-mx-6 sm:px-6">
            <SubmitButton busyLabel={t('decide.busy')}>{t('together.submit')}</SubmitButton>
            <ButtonLink variant="secondary" to={back}>
              {t('together.back')}
            </ButtonLink>
          </div>
        </Form>
      )}
    </PageFrame>
  );
}

function TogetherItem({ row }: { row: LoadedTogether['rows'][number] }) {
  const { t } = useTranslation('approvals');
  const named = useNamed();
  const formats = useFormats();
  const address = href('/dashboard/approvals/:approval', { approval: row.id });
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 rounded-lg border border-line bg-surface p-4">
      <input
        type="checkbox"
        name="approval"
        value={`${row.id} ${row.digest}`}
        aria-label={named(t('together.choose'), formats.runName(row.run))}
        className="mt-1 size-5 accent-accent"
      />
      <div className="grid gap-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link to={address} className="text-link font-semibold">
            <bdi>{formats.runName(row.run)}</bdi>
          </Link>
          <span className="text-sm text-muted">
            {t('inbox.due')} <RelativeTime at={row.dueAt} />
          </span>
        </p>
        <p className="break-words">
          <bdi>{revealedText(row.question ?? row.title)}</bdi>
        </p>
        <FactList facts={row.facts} file={href('/dashboard/approvals/:approval/subject', { approval: row.id })} />
        {row.more === 0 ? null : <p className="text-sm text-attention-ink">{t('together.more', { count: row.more })}</p>}
      </div>
    </li>
  );
}
