import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { Button, ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { CONFIRMED_WORKSPACE_FIELD, type KeptForm } from '#app/domain/web/kept-form.ts';

const SHOWN_LENGTH = 400;

/** A form that could not be taken, given back with everything in it and one button to send it again. */
export function KeptFormPage({ form }: { form: KeptForm }) {
  const { t } = useTranslation('errors');
  const from = form.workspaces?.from ?? null;
  const now = form.workspaces?.now.name ?? '';
  // A form may hold one name many times: a field is its place.
  const fields = form.fields.map((field, at) => ({ ...field, id: String(at) }));
  const files = form.files.map((file, at) => ({ ...file, id: `file ${String(at)}` }));
  const typed = fields.filter((field) => field.name !== 'workspace' && field.value !== '' && !field.name.startsWith('__'));
  const { title, body } = {
    sessionOver: { title: t('keptForm.titleSessionOver'), body: t('keptForm.bodySessionOver') },
    unavailable: { title: t('keptForm.titleUnavailable'), body: t('keptForm.bodyUnavailable') },
    otherWorkspace: {
      title: t('keptForm.titleOtherWorkspace'),
      body: from === null ? t('keptForm.bodyOtherWorkspaceGone', { now }) : t('keptForm.bodyOtherWorkspace', { from: from.name, now }),
    },
  }[form.kept];
  return (
    <TaskPage title={title} description={body}>
      <Form
        reloadDocument
        method="post"
        action={form.action}
        {...(form.files.length === 0 ? {} : { encType: 'multipart/form-data' as const })}
        className="flex flex-wrap gap-3"
      >
        {fields.map((field) => (
          <input key={field.id} type="hidden" name={field.name} value={field.value} />
        ))}
        {files.map(({ id, name, file }) => (
          <label key={id} className="grid w-full gap-1.5">
            <span>{t('keptForm.fileAgain', { file })}</span>
            <input type="file" name={name} className={`${CONTROL} min-h-11`} />
          </label>
        ))}
        {form.kept === 'sessionOver' ? (
          <>
            <a href="/auth" target="_blank" rel="noopener" className={buttonClass('secondary')}>
              {t('keptForm.signIn')}
            </a>
            <Button variant="primary">{t('keptForm.sendAgain')}</Button>
          </>
        ) : form.kept === 'unavailable' ? (
          <Button variant="primary">{t('keptForm.sendAgain')}</Button>
        ) : from === null ? null : (
          <Button variant="primary" name={CONFIRMED_WORKSPACE_FIELD} value={from.id}>
            {t('keptForm.sendInOrigin', { from: from.name })}
          </Button>
        )}
        <ButtonLink to="/dashboard" variant="quiet">
          {t('keptForm.discard')}
        </ButtonLink>
      </Form>
      {typed.length === 0 ? null : (
        <section aria-labelledby="kept-fields">
          <h2 id="kept-fields" className="text-lg font-semibold">
            {t('keptForm.fields')}
          </h2>
          <ul className="mt-3 grid gap-2">
            {typed.map((field) => (
              <li
                key={field.id}
                dir="auto"
                className="overflow-hidden rounded-md border border-line bg-surface px-3 py-2 text-sm whitespace-pre-wrap break-words"
              >
                {field.value.slice(0, SHOWN_LENGTH)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </TaskPage>
  );
}
