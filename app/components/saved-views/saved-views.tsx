import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField } from '#app/components/form/choice-fields.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { saveViewSchema } from '#app/components/saved-views/saved-view-schema.ts';
import X from '~icons/x';

type Views = readonly { id: string; name: string; to: string; own: boolean; shared: boolean }[];

/** One's own saved views and those that are shared, as links; with filters set, a form to save them under a name. */
export function SavedViews({ views, url, lastResult }: { views: Views; url: string; lastResult: FormResult | undefined }) {
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
      {query === '' ? null : <SaveForm query={query} lastResult={lastResult} />}
    </div>
  );
}

function SaveForm({ query, lastResult }: { query: string; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('common');
  const { form, fields } = useAppForm(saveViewSchema, { lastResult, defaultValue: { command: 'save', query }, id: 'save-view' });
  return (
    <AppForm form={form} className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="command" value="save" />
      <input type="hidden" name="query" value={query} />
      <TextField field={fields.name} label={t('views.name')} />
      <CheckboxField field={fields.shared} label={t('views.share')} />
      <SubmitButton variant="secondary" busyLabel={t('views.saving')}>
        {t('views.save')}
      </SubmitButton>
    </AppForm>
  );
}
