import { useTranslation } from 'react-i18next';
import { CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { Breakable } from '#app/components/value/copy/copied.tsx';
import { ROLES } from '#app/contracts/people.ts';
import type { CallerOption } from '#app/features/connections/gateways/load-gateways.server.ts';

type Field = 'name' | 'description' | 'address' | 'roles' | 'groups' | 'programs' | 'callsAtOnce' | 'callsAMinute' | 'callerCallsAMinute';

/** The settings of a gateway. `before`: what its whole address begins with; `callers`: the groups, keys and clients to choose from. */
export function GatewayFields({ fields, before, callers }: { fields: Record<Field, FormField>; before: string; callers: CallerOption[] }) {
  const { t } = useTranslation(['gateways', 'members']);
  const groups = callers.filter(({ kind }) => kind === 'group');
  const programs = callers.filter(({ kind }) => kind !== 'group');
  const wordsOf = ({ kind, name, owner }: CallerOption) => {
    if (name === null) return t('field.goneCaller');
    return kind === 'key' ? t('field.keyOf', { name, owner: owner ?? '' }) : t('field.clientNamed', { name });
  };
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
      {groups.length === 0 ? null : (
        <CheckboxGroupField
          field={fields.groups}
          label={t('field.groups')}
          hint={t('field.groupsHint')}
          options={groups.map(({ value, name }) => ({ value, label: name ?? t('field.goneCaller') }))}
        />
      )}
      {programs.length === 0 ? null : (
        <CheckboxGroupField
          field={fields.programs}
          label={t('field.programs')}
          hint={t('field.programsHint')}
          options={programs.map((program) => ({ value: program.value, label: wordsOf(program) }))}
        />
      )}
      {LIMITS.map((name) => (
        <NumberField
          key={name}
          field={fields[name]}
          label={t(`field.${name}`)}
          hint={t(`field.${name}Hint`)}
          unit={t('field.calls')}
          optional
        />
      ))}
    </>
  );
}

const LIMITS = ['callsAtOnce', 'callsAMinute', 'callerCallsAMinute'] as const;

/** The same fields by name, for the summary of errors. */
export function useGatewayLabels(): Record<string, string> {
  const { t } = useTranslation('gateways');
  return {
    name: t('field.name'),
    description: t('field.description'),
    address: t('field.address'),
    roles: t('field.roles'),
    groups: t('field.groups'),
    programs: t('field.programs'),
    callsAtOnce: t('field.callsAtOnce'),
    callsAMinute: t('field.callsAMinute'),
    callerCallsAMinute: t('field.callerCallsAMinute'),
  };
}
