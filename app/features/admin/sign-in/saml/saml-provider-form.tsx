import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, CheckboxGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { FileField } from '#app/components/form/files/file-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { NAME_IDS } from '#app/contracts/company-sign-in.ts';
import { ROLES } from '#app/contracts/people.ts';
import type { Provider } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { samlProviderSchema } from '#app/features/admin/sign-in/saml/saml-schema.ts';

const NEW = { emailClaim: 'email', nameClaim: 'name', groupsClaim: 'groups', defaultRoles: ['user'], emailsVerified: 'on' };

/** `provider`: with whose settings it is filled in; `keeps`: it has metadata, which empty fields leave as it is. */
export function SamlProviderForm({
  provider,
  keeps,
  lastResult,
}: {
  provider: Provider | null;
  keeps: boolean;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation(['admin', 'members']);
  const on = (set: boolean | undefined) => (set === true ? 'on' : '');
  const { form, fields } = useAppForm(samlProviderSchema, {
    lastResult,
    defaultValue:
      provider === null
        ? NEW
        : {
            ...provider,
            metadataUrl: provider.saml?.metadataUrl ?? '',
            nameId: provider.saml?.nameId,
            emailsVerified: on(provider.emailsVerified),
            idpInitiated: on(provider.saml?.idpInitiated),
          },
  });
  return (
    <AppForm form={form} encType="multipart/form-data">
      <TextField field={fields.name} label={t('signIn.name')} hint={t('signIn.nameHint')} />
      <TextField
        field={fields.metadataUrl}
        label={t('saml.metadataUrl')}
        hint={t(keeps ? 'saml.metadataUrlKeep' : 'saml.metadataUrlHint')}
        type="url"
      />
      <TextAreaField field={fields.metadata} label={t('saml.metadataText')} rows={5} code />
      <FileField field={fields.metadataFile} label={t('saml.metadataFile')} accept="application/xml,text/xml,.xml" />
      <SelectField
        field={fields.nameId}
        label={t('saml.nameId')}
        hint={t('saml.nameIdHint')}
        options={NAME_IDS.map((value) => ({ value, label: t(`saml.nameIds.${value}`) }))}
      />
      <TextField field={fields.emailClaim} label={t('saml.emailAttribute')} hint={t('saml.emailAttributeHint')} code />
      <TextField field={fields.nameClaim} label={t('saml.nameAttribute')} code />
      <TextField field={fields.groupsClaim} label={t('saml.groupsAttribute')} hint={t('signIn.groupsClaimHint')} code />
      <CheckboxField field={fields.emailsVerified} label={t('signIn.emailsVerified')} hint={t('saml.emailsVerifiedHint')} />
      <CheckboxField field={fields.idpInitiated} label={t('saml.idpInitiated')} hint={t('saml.idpInitiatedHint')} />
      <CheckboxGroupField
        field={fields.defaultRoles}
        label={t('signIn.defaultRoles')}
        hint={t('signIn.defaultRolesHint')}
        options={ROLES.map((role) => ({ value: role, label: t(`members:role.${role}`) }))}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('saving')}>{t('signIn.saveProvider')}</SubmitButton>
        <ButtonLink to={href('/dashboard/admin/sign-in')} variant="quiet">
          {t('cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}
