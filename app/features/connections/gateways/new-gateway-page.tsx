import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { GatewayFields, useGatewayLabels } from '#app/features/connections/gateways/gateway-fields.tsx';
import { newGatewaySchema } from '#app/features/connections/gateways/gateway-schema.ts';
import { useGatewayCrumbs } from '#app/features/connections/gateways/gateway-words.ts';
import type { loadNewGateway } from '#app/features/connections/gateways/load-gateways.server.ts';

type Props = { view: Awaited<ReturnType<typeof loadNewGateway>>; lastResult: FormResult | undefined };

/** The settings of a new gateway. Its tools are chosen next. */
export function NewGatewayPage({ view, lastResult }: Props) {
  const { t } = useTranslation('gateways');
  const { form, fields } = useAppForm(newGatewaySchema, { lastResult, defaultValue: { id: view.id } });
  return (
    <PageFrame title={t('new')} description={t('newText')} breadcrumbs={useGatewayCrumbs()}>
      <AppForm form={form} labels={useGatewayLabels()}>
        <input type="hidden" name={fields.id.name} defaultValue={view.id} />
        <GatewayFields fields={fields} before={view.before} callers={view.callers} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('creating')}>{t('create')}</SubmitButton>
          <ButtonLink variant="secondary" to={href('/dashboard/plugins/gateways')}>
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
