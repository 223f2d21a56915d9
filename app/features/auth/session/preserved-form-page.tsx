import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { Button, ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { CONFIRMED_WORKSPACE_FIELD, type PreservedForm } from '#app/domain/web/preserved-form.ts';

const SHOWN_LENGTH = 400;

/** A form that could not be taken, given back with everything in it and one button to send it again. */
export function PreservedFormPage({ form }: { form: PreservedForm }) {
  const { t } = useTranslation('errors');
  const from = form.workspaces?.from ?? null;
  const now = form.workspaces?.now.name ?? '';
  // A form may hold one name many times: a field is its place.
  const fields = form.fields.map((field, at) => ({ ...field, id: String(at) }));
  const files = form.files.map((file, at) => ({ ...file, id: `file ${String(at)}` }));
  const typed = fields.filter((field) => field.name !== 'workspace' && field.value !== '' && !field.name.startsWith('__'));
  const { title, body } = {
    sessionOver: { title: t('preservedForm.titleSessionOver'), body: t('preservedForm.bodySessionOver') },
    unavailable: { title: t('preservedForm.titleUnavailable'), body: t('preservedForm.bodyUnavailable') },
    otherWorkspace: {
      title: t('preservedForm.titleOtherWorkspace'),
      body:
        from === null
          ? t('preservedForm.bodyOtherWorkspaceGone', { now })
          : t('preservedForm.bodyOtherWorkspace', { from: from.name, now }),
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
            <span>{t('preservedForm.fileAgain', { file })}</span>
            <input type="file" name={name} className={`${CONTROL} min-h-11`} />
          </label>
        ))}
        {form.kept === 'sessionOver' ? (
          <>
            <a href={href('/auth')} target="_blank" rel="noopener" className={buttonClass('secondary')}>
              {t('preservedForm.signIn')}
            </a>
            <Button variant="primary">{t('preservedForm.sendAgain')}</Button>
          </>
        ) : form.kept === 'unavailable' ? (
          <Button variant="primary">{t('preservedForm.sendAgain')}</Button>
        ) : from === null ? null : (
          <Button variant="primary" name={CONFIRMED_WORKSPACE_FIELD} value={from.id}>
            {t('preservedForm.sendInOrigin', { from: from.name })}
          </Button>
        )}
        <ButtonLink to={href('/dashboard')} variant="quiet">
          {t('preservedForm.discard')}
        </ButtonLink>
      </Form>
      {typed.length === 0 ? null : (
        <section aria-labelledby="kept-fields">
          <h2 id="kept-fields" className="text-lg font-semibold">
            {t('preservedForm.fields')}
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
