import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { TESTIMONIAL_IMAGE, TESTIMONIALS } from '#app/features/public/evidence/claims.ts';
import { CarouselTrack } from '#app/features/public/landing/carousel-track.tsx';

/** Three entries with what came of it. */
export function TestimonialTrack() {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const hours = (value: number) => formats.number(value, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
  return (
    <CarouselTrack
      slides={TESTIMONIALS.map(({ id, author, company, results }) => (
        <div
          key={id}
          className="grid h-full grid-cols-1 content-start gap-x-12 gap-y-6 rounded-lg border border-line bg-surface p-5 sm:p-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]"
        >
          <div>
            <p className="mb-3 inline-block rounded-full border border-line px-3 py-0.5 text-sm font-semibold text-muted">
              {t('testimonials.example')}
            </p>
            <figure>
              <blockquote className="max-w-[48ch] text-xl leading-relaxed">
                <p>{t(`testimonials.${id}.quote`)}</p>
              </blockquote>
              <figcaption className="mt-4 flex items-center gap-4">
                <img
                  src={TESTIMONIAL_IMAGE}
                  alt=""
                  width={64}
                  height={64}
                  loading="lazy"
                  className="size-16 rounded-full border border-line"
                />
                <span className="text-sm">
                  <bdi className="block font-semibold">{author}</bdi>
                  <span className="block text-muted">
                    {t(`testimonials.${id}.role`)}, <bdi>{company}</bdi>
                  </span>
                </span>
              </figcaption>
            </figure>
          </div>
          <dl className="grid grid-cols-2 content-center gap-x-6 gap-y-4">
            <Result name={t('testimonials.efficiencyGain')} value={formats.percent(results.efficiencyGain)} />
            <Result name={t('testimonials.costReduction')} value={formats.percent(results.costReduction)} />
            <Result name={t('testimonials.timeSaved')} value={t('testimonials.monthly', { hours: hours(results.timeSaved) })} />
            <Result name={t('testimonials.complianceScore')} value={formats.percent(results.complianceScore)} />
          </dl>
        </div>
      ))}
    />
  );
}

function Result({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-col-reverse justify-end border-t border-line pt-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
