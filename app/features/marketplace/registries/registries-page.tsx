import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { LoadedRegistries } from '#app/features/marketplace/registries/registries-action.server.ts';
import { registrySchema } from '#app/features/marketplace/registries/registry-schema.ts';

type Props = { registries: LoadedRegistries['registries']; lastResult: FormResult | undefined };

/** The registries whose servers stand in this workspace's marketplace. */
export function RegistriesPage({ registries, lastResult }: Props) {
  const { t } = useTranslation('marketplace');
  const { form, fields } = useAppForm(registrySchema, { lastResult });
  return (
    <PageFrame
      title={t('registries.title')}
      description={t('registries.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/marketplace') }]}
    >
      <Section title={t('registries.list')}>
        {registries.length === 0 ? (
          <EmptyState title={t('registries.none')} description={t('registries.noneText')} />
        ) : (
          <ul className="grid gap-4">
            {registries.map((registry) => (
              <RegistryItem key={registry.id} registry={registry} />
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('registries.add')} description={t('registries.addText')}>
        <AppForm form={form}>
          <TextField field={fields.name} label={t('registries.name')} />
          <TextField field={fields.address} label={t('registries.address')} hint={t('registries.addressHint')} type="url" />
          <div>
            <SubmitButton busyLabel={t('registries.busy')}>{t('registries.submit')}</SubmitButton>
          </div>
        </AppForm>
      </Section>
    </PageFrame>
  );
}

function RegistryItem({ registry }: { registry: Props['registries'][number] }) {
  const { t } = useTranslation('marketplace');
  const formats = useFormats();
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 rounded-lg border border-line bg-surface p-4">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold">
          <Link to={`${href('/dashboard/marketplace')}?source=${registry.id}`} className="text-link wrap-anywhere">
            <bdi>{registry.name}</bdi>
          </Link>
        </h3>
        <p dir="ltr" className="text-as-parent text-sm wrap-anywhere text-muted">
          {registry.address}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm">
          <span>{t('registries.servers', { count: registry.servers, number: formats.number(registry.servers) })}</span>
          {registry.refused === 0 ? null : (
            <span>{t('registries.refused', { count: registry.refused, number: formats.number(registry.refused) })}</span>
          )}
          {registry.cut ? <span>{t('registries.cut')}</span> : null}
          <span className="text-muted">
            {t('registries.read')} <RelativeTime at={registry.readAt} />
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {(['refresh', 'remove'] as const).map((intent) => (
          <CommandForm key={intent} hidden={{ intent, registry: registry.id }}>
            <SubmitButton variant="secondary" size="small">
              {t(`registries.${intent}`)}
              <bdi className="sr-only">{registry.name}</bdi>
            </SubmitButton>
          </CommandForm>
        ))}
      </div>
    </li>
  );
}
