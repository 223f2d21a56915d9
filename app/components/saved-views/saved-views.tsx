import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CheckboxField } from '#app/components/form/choice-fields.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { type FormField, useMessages } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import type { RefusedView } from '#app/components/saved-views/saved-views.server.ts';
import { useNamed } from '#app/components/text/named.ts';
import X from '~icons/x';

type Views = readonly { id: string; name: string; to: string; own: boolean; shared: boolean }[];

/** One's own saved views and those that are shared, as links; with filters set, a form to save them under a name. */
export function SavedViews({ views, url, refused }: { views: Views; url: string; refused: RefusedView | undefined }) {
  const { t } = useTranslation('common');
  const query = url.split('?')[1] ?? '';
  return (
    <div className="mb-6 grid gap-4">
      {views.length === 0 ? null : (
        <nav aria-label={t('views.label')}>
          <ul className="flex flex-wrap gap-2">
            {views.map((view) => (
              <li key={view.id} className="flex items-center rounded-md border border-line bg-surface">
                <Link
                  to={view.to}
                  className="text-link inline-flex min-h-9 items-center px-3"
                  {...(view.to === url ? { 'aria-current': 'true' as const } : {})}
                >
                  <bdi>{view.name}</bdi>
                </Link>
                {view.shared ? <span className="pe-3 text-sm text-muted">{t('views.shared')}</span> : null}
                {view.own ? (
                  <CommandForm hidden={{ command: 'drop', view: view.id }}>
                    <button
                      type="submit"
                      aria-label={t('views.drop', { name: view.name })}
                      className="grid size-9 place-items-center rounded-md text-muted hover:bg-raised hover:text-ink"
                    >
                      <X aria-hidden="true" className="size-4" />
                    </button>
                  </CommandForm>
                ) : null}
              </li>
            ))}
          </ul>
        </nav>
      )}
      {query === '' ? null : <SaveForm key={refused?.name} query={query} refused={refused} />}
    </div>
  );
}

/** Checked by the server alone: the rules of forms in the browser are larger than all else that a list loads. */
function SaveForm({ query, refused }: { query: string; refused: RefusedView | undefined }) {
  const { t } = useTranslation('common');
  const named = useNamed();
  const messages = useMessages()(refused?.errors);
  return (
    <>
      {messages.length === 0 ? null : <Notice kind="danger" live title={named(t('views.name'), messages.join(' '))} />}
      <CommandForm hidden={{ query }} className="flex flex-wrap items-end gap-3">
        <TextField field={{ ...field('name'), defaultValue: refused?.name ?? '', required: true, maxLength: 80 }} label={t('views.name')} />
        <CheckboxField field={{ ...field('shared'), defaultChecked: refused?.shared ?? false }} label={t('views.share')} />
        <SubmitButton variant="secondary" name="command" value="save" busyLabel={t('views.saving')}>
          {t('views.save')}
        </SubmitButton>
      </CommandForm>
    </>
  );
}

const field = (name: string): FormField => ({
  id: `save-view-${name}`,
  name,
  errorId: `save-view-${name}-error`,
  descriptionId: `save-view-${name}-hint`,
  defaultValue: '',
  defaultOptions: [],
  defaultChecked: false,
});
