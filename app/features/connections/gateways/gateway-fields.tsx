import { useTranslation } from 'react-i18next';
import { CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { Breakable } from '#app/components/value/copy/copied.tsx';
import { ROLES } from '#app/contracts/people.ts';

type Fields = Record<'name' | 'description' | 'address' | 'roles' | 'callsAtOnce', FormField>;

/** The settings of a gateway. `before`: what its whole address begins with. */
export function GatewayFields({ fields, before }: { fields: Fields; before: string }) {
  const { t } = useTranslation(['gateways', 'members']);
  return (
    <>
      <TextField field={fields.name} label={t('field.name')} />
      <TextAreaField field={fields.description} label={t('field.description')} hint={t('field.descriptionHint')} rows={3} optional />
      <TextField
        field={fields.address}
        label={t('field.address')}
        hint={
          <>
            {t('field.addressHint')}{' '}
            <code dir="ltr" className="wrap-anywhere">
              <Breakable text={`${before}…`} />
            </code>
          </>
        }
        code
        optional
      />
      <CheckboxGroupField
        field={fields.roles}
        label={t('field.roles')}
        hint={t('field.rolesHint')}
        options={ROLES.map((role) => ({ value: role, label: t(`members:role.${role}`) }))}
      />
      <NumberField
        field={fields.callsAtOnce}
        label={t('field.callsAtOnce')}
        hint={t('field.callsAtOnceHint')}
        unit={t('field.calls')}
        optional
      />
    </>
  );
}

/** The same fields by name, for the summary of errors. */
export function useGatewayLabels(): Record<string, string> {
  const { t } = useTranslation('gateways');
  return {
    name: t('field.name'),
    description: t('field.description'),
    address: t('field.address'),
    roles: t('field.roles'),
    callsAtOnce: t('field.callsAtOnce'),
  };
}
