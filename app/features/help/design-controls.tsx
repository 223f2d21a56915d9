import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CheckboxField, RadioGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { FileField } from '#app/components/form/files/file-field.tsx';
import { NumberField, PasswordField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { Menu } from '#app/components/look/menu.tsx';
import { Badge, type Tone } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink, type ButtonVariant } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';

const VARIANTS: readonly ButtonVariant[] = ['primary', 'secondary', 'quiet', 'danger'];
const TONES: readonly Tone[] = ['neutral', 'ok', 'attention', 'danger', 'info', 'accent'];
const STATUSES = [
  'pending',
  'processing',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'active',
  'inactive',
  'connected',
  'disconnected',
  'approved',
  'rejected',
  'expired',
  'consumed',
  'changed',
  'allow',
  'warn',
  'deny',
  'require_approval',
] as const;

export function DesignControls() {
  const { t } = useTranslation('design');
  return (
    <div className="grid grid-cols-1 gap-6">
      {(['regular', 'small'] as const).map((size) => (
        <div key={size} className="flex flex-wrap items-center gap-3">
          {VARIANTS.map((variant) => (
            <Button key={variant} type="button" variant={variant} size={size}>
              {t('button')}
            </Button>
          ))}
          <Button type="button" size={size} disabled>
            {t('buttonDisabled')}
          </Button>
          <Button type="button" variant="primary" size={size} aria-disabled="true">
            {t('buttonBusy')}
          </Button>
          <ButtonLink to={href('/dashboard/appearance')} size={size}>
            {t('buttonLink')}
          </ButtonLink>
        </div>
      ))}
      <div>
        <Menu label={t('menu')} align="start" summary={<span className="font-semibold">{t('menu')}</span>}>
          <p className="p-2 text-sm">{t('sample')}</p>
        </Menu>
      </div>
      <ul className="flex flex-wrap gap-2">
        {TONES.map((tone) => (
          <li key={tone}>
            <Badge tone={tone}>{t('badge')}</Badge>
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {STATUSES.map((status) => (
          <li key={status}>
            <StatusWord status={status} />
          </li>
        ))}
      </ul>
      <Card>
        <p>{t('paragraph')}</p>
      </Card>
    </div>
  );
}

/** A field as a form hands it to its parts: here without a form, so that it can be shown as refused from the first byte. */
function sample(name: string, over: Partial<FormField> = {}): FormField {
  const base = { id: `sample-${name}`, name, errorId: `sample-${name}-error`, descriptionId: `sample-${name}-hint` };
  return { ...base, defaultValue: '', defaultOptions: [], defaultChecked: false, ...over };
}

export function DesignFields() {
  const { t } = useTranslation('design');
  const options = [
    { value: 'a', label: t('optionA'), hint: t('hint') },
    { value: 'b', label: t('optionB') },
  ];
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-2">
      <TextField field={sample('text')} label={t('fieldText')} hint={t('hint')} />
      <TextField field={sample('refused', { errors: ['required'] })} label={t('fieldText')} hint={t('hint')} />
      <TextField field={sample('code', { defaultValue: 'input.amount > 1000' })} label={t('fieldCode')} code optional />
      <NumberField field={sample('number', { defaultValue: '12x', errors: ['notANumber'] })} label={t('fieldNumber')} />
      <PasswordField field={sample('secret')} label={t('fieldPassword')} autoComplete="new-password" />
      <TextField field={sample('disabled', { defaultValue: t('rowA') })} label={t('fieldDisabled')} disabled />
      <SelectField field={sample('choice')} label={t('fieldChoice')} options={options} />
      <TextAreaField field={sample('long')} label={t('fieldLong')} optional />
      <FileField field={sample('file')} label={t('fieldFile')} hint={t('hint')} accept="image/png" />
      <RadioGroupField field={sample('radio', { defaultValue: 'a' })} label={t('fieldRadio')} options={options} />
      <div className="grid content-start gap-4">
        <CheckboxField field={sample('tick', { defaultChecked: true })} label={t('fieldTick')} hint={t('hint')} />
        <CheckboxField field={sample('untick', { errors: ['required'] })} label={t('fieldTick')} />
      </div>
    </div>
  );
}
