import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { CopiedValue } from '#app/components/form/copied-value.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { NewTokenView } from '#app/features/provisioning/load-provisioning.server.ts';
import { newTokenSchema, noFieldsSchema, TOKEN_DAYS } from '#app/features/provisioning/provisioning-schemas.ts';
import type { MadeToken, NewTokenAnswer } from '#app/features/provisioning/token-actions.server.ts';

const PROVISIONING = href('/dashboard/admin/provisioning');

function useCrumbs() {
  const { t } = useTranslation('provisioning');
  const { t: admin } = useTranslation('admin');
  return [
    { label: admin('title'), to: href('/dashboard/admin') },
    { label: t('title'), to: PROVISIONING },
  ];
}

/** The form of a token; when it is made, the token itself, this once. */
export function NewTokenPage({ view, answer }: { view: NewTokenView; answer: NewTokenAnswer | undefined }) {
  const { t } = useTranslation('provisioning');
  const made = answer?.made ?? null;
  const { replaces } = view;
  return (
    <PageFrame
      title={made !== null ? t('madeTitle') : replaces === null ? t('makeTitle') : t('replaceTitle', { name: replaces.name })}
      description={made !== null ? undefined : replaces === null ? t('makeText') : t('replaceText')}
      breadcrumbs={useCrumbs()}
    >
      {made === null ? <NewTokenForm view={view} answer={answer} /> : <Made made={made} />}
    </PageFrame>
  );
}

function NewTokenForm({ view, answer }: { view: NewTokenView; answer: NewTokenAnswer | undefined }) {
  const { t } = useTranslation('provisioning');
  const { form, fields } = useAppForm(newTokenSchema, {
    lastResult: answer?.result,
    defaultValue: { id: view.id, name: view.replaces?.name ?? '', days: String(TOKEN_DAYS[0]) },
  });
  return (
    <AppForm form={form}>
      <input type="hidden" name={fields.id.name} defaultValue={view.id} />
      {view.replaces === null ? null : <input type="hidden" name={fields.replaces.name} defaultValue={view.replaces.id} />}
      <TextField field={fields.name} label={t('name')} hint={t('nameHint')} />
      <RadioGroupField
        field={fields.days}
        label={t('lifetime')}
        options={TOKEN_DAYS.toSorted((one, other) => one - other).map((count) => ({ value: String(count), label: t('days', { count }) }))}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('making')}>{t('make')}</SubmitButton>
        <ButtonLink to={PROVISIONING} variant="quiet">
          {t('cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}

function Made({ made }: { made: MadeToken }) {
  const { t } = useTranslation('provisioning');
  return (
    <div className="grid gap-6">
      <Notice kind="ok" live title={t('madeNotice', { name: made.name })}>
        <p>{t('madeBody')}</p>
      </Notice>
      <CopiedValue label={t('secret')} value={made.secret} />
      <div>
        <ButtonLink to={PROVISIONING} variant="primary">
          {t('stored')}
        </ButtonLink>
      </div>
    </div>
  );
}

export function RevokeTokenPage({ token }: { token: { name: string } }) {
  const { t } = useTranslation('provisioning');
  const { form } = useAppForm(noFieldsSchema);
  return (
    <PageFrame title={t('revokeTitle', { name: token.name })} description={t('revokeBody')} breadcrumbs={useCrumbs()}>
      <AppForm form={form}>
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="danger" busyLabel={t('revoking')}>
            {t('revokeButton')}
          </SubmitButton>
          <ButtonLink to={PROVISIONING} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
