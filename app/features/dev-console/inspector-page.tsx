import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { inspectSchema } from '#app/features/dev-console/inspect-schema.ts';
import type { LoadedInspector } from '#app/features/dev-console/load-inspector.server.ts';

/** Choose a capability, write its input, call it. */
export function InspectorPage({ view, lastResult }: { view: LoadedInspector; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('devConsole');
  return (
    <PageFrame
      title={t('inspector.title')}
      description={t('inspector.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/dev-console') }]}
    >
      {view.options.length === 0 ? (
        <EmptyState
          title={t('inspector.empty')}
          description={t('inspector.emptyHint')}
          action={<ButtonLink to={href('/dashboard/plugins')}>{t('inspector.toPlugins')}</ButtonLink>}
        />
      ) : (
        <Form method="get" className="flex flex-wrap items-end gap-3" preventScrollReset>
          <div className="min-w-0 grow sm:max-w-measure">
            <label htmlFor="inspect-capability" className="mb-1 block font-semibold">
              {t('inspector.capability')}
            </label>
            <select
              id="inspect-capability"
              name="capability"
              key={view.chosen?.value ?? ''}
              defaultValue={view.chosen?.value ?? ''}
              className={`${CONTROL} min-h-11`}
            >
              {view.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          </div>
          <Button className="min-h-11">{t('inspector.choose')}</Button>
        </Form>
      )}
      {view.chosen === null ? null : (
        <Call key={view.chosen.value} chosen={view.chosen} requestKey={view.requestKey} lastResult={lastResult} />
      )}
    </PageFrame>
  );
}

type Call = { chosen: NonNullable<LoadedInspector['chosen']>; requestKey: string; lastResult: FormResult | undefined };

function Call({ chosen, requestKey, lastResult }: Call) {
  const { t } = useTranslation('devConsole');
  const { form, fields } = useAppForm(inspectSchema, {
    lastResult,
    defaultValue: { capability: chosen.value, input: chosen.skeleton, _key: requestKey },
  });
  return (
    <Section title={chosen.label} description={chosen.description === '' ? undefined : <bdi>{chosen.description}</bdi>}>
      <AppForm form={form}>
        <input type="hidden" name={fields.capability.name} value={chosen.value} />
        <input type="hidden" name={fields._key.name} value={requestKey} />
        <TextAreaField field={fields.input} label={t('inspector.input')} hint={t('inspector.inputHint')} rows={8} code />
        <div>
          <SubmitButton busyLabel={t('inspector.calling')}>{t('inspector.call')}</SubmitButton>
        </div>
      </AppForm>
      {chosen.inputSchema === null ? null : (
        <details className="mt-6">
          <summary className="cursor-pointer py-1 text-sm font-semibold">{t('inspector.schema')}</summary>
          <div className="mt-2">
            <ValueView
              value={chosen.inputSchema}
              label={t('inspector.schema')}
              file={href('/dashboard/plugins/capabilities/:capability', { capability: chosen.id })}
            />
          </div>
        </details>
      )}
    </Section>
  );
}
