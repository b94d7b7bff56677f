/** What does this computer have for models? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Machine, ModelDevice } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { FailureNotice } from '../shell/notice.tsx';
import { deviceFacts, deviceName, sizeInWords } from './model-words.ts';
import { useTask } from './use-task.ts';

export interface MachinePartProps {
  machine: Machine | undefined;
  onChanged(): void;
  onAction(action: FailureAction): void;
}

export function MachinePart({ machine, onChanged, onAction }: MachinePartProps) {
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
      <Reset onChanged={onChanged} onAction={onAction} />
    </>
  );
}

/** A device that failed is spared from then on, so somebody who mended it must be able to say so. */
function Reset({ onChanged, onAction }: Omit<MachinePartProps, 'machine'>) {
  const { t } = useTranslation();
  const engine = useEngine();
  const task = useTask<'reset'>();
  const [isDone, setDone] = useState(false);
  const reset = async (): Promise<void> => {
    setDone(false);
    const hasWorked = await task.run('reset', () => engine.models.resetDevices());
    setDone(hasWorked);
    if (hasWorked) onChanged();
  };
  return (
    <>
      <p className="soft">{t('models.machineResetHelp')}</p>
      <div className="model-actions">
        <button
          type="button"
          className="button"
          disabled={task.doing !== undefined}
          onClick={() => void reset()}
        >
          {t(task.doing === undefined ? 'models.machineReset' : 'models.machineResetting')}
        </button>
        <span className="soft" role="status">
          {isDone && t('models.machineResetDone')}
        </span>
      </div>
      {task.failure && (
        <FailureNotice
          failure={task.failure}
          onAction={(action) => (action === 'again' ? void reset() : onAction(action))}
        />
      )}
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
