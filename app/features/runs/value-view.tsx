import { useTranslation } from 'react-i18next';
import { JsonText, JsonView } from '#app/components/json-view.tsx';
import { useFormats } from '#app/components/reader.tsx';
import type { ShownValue } from '#app/features/runs/cut-run.ts';

/** `of` and `step` name the value for who downloads all of it. */
export function ValueView({
  value,
  label,
  run,
  of,
  step,
}: {
  value: ShownValue;
  label: string;
  run: string;
  of: 'input' | 'output';
  step?: string;
}) {
  const { t } = useTranslation('runs');
  const formats = useFormats();
  if ('whole' in value) return <JsonView value={value.whole} label={label} />;
  const size = (bytes: number) =>
    formats.number(bytes / 1_000, { style: 'unit', unit: 'kilobyte', unitDisplay: 'short', maximumFractionDigits: 0 });
  const address = `/dashboard/runs/${run}/value?${new URLSearchParams({ of, ...(step === undefined ? {} : { step }) })}`;
  return (
    <>
      <JsonText text={value.start} label={label} />
      <p className="mt-1 text-sm">
        {t('run.cut', { shown: size(value.start.length), size: size(value.bytes) })}{' '}
        <a href={address} download className="text-link py-0.5">
          {t('run.downloadAll', { name: label })}
        </a>
      </p>
    </>
  );
}
