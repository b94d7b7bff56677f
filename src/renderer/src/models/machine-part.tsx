/** What does this computer have for models? */
import { useTranslation } from 'react-i18next';
import type { Machine, ModelDevice } from '../../../api/types.ts';
import { deviceFacts, deviceName, sizeInWords } from './model-words.ts';

export function MachinePart({ machine }: { machine: Machine | undefined }) {
  const { t, i18n } = useTranslation();
  if (machine === undefined) return <p className="soft">{t('models.loading')}</p>;
  const { cores, memoryBytes, freeMemoryBytes, devices } = machine;
  const free = sizeInWords(freeMemoryBytes, i18n.language);
  const total = sizeInWords(memoryBytes, i18n.language);
  return (
    <>
      <p>
        {t('models.machineCores', { count: cores })} · {t('models.machineMemory', { free, total })}
      </p>
      <table className="devices">
        <thead>
          <tr>
            <th scope="col">{t('models.machineDevice')}</th>
            <th scope="col">{t('models.machineServes')}</th>
            <th scope="col">{t('models.machineState')}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <Device key={`${device.kind} ${device.name ?? ''}`} device={device} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Device({ device }: { device: ModelDevice }) {
  const { t, i18n } = useTranslation();
  const { kind, serves, state, reason } = device;
  return (
    <tr>
      <th scope="row">
        <span className="strong">{deviceName(kind, t)}</span>
        <span className="soft">{deviceFacts(device, t, i18n.language)}</span>
      </th>
      <td>{serves.map((one) => t(`models.purpose.${one}`)).join(', ')}</td>
      <td>
        <span className={state === 'in-use' ? 'badge accent' : state === 'failed' ? 'badge old' : 'badge'}>
          {t(`models.deviceState.${state}`)}
        </span>
        {reason && <span className="soft path">{reason}</span>}
      </td>
    </tr>
  );
}
