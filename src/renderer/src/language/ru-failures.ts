/** What does the page say in Russian of what failed? */
import type { InLanguage } from './in-language.ts';

export const ruFailures: Pick<InLanguage, 'failure' | 'failureAction'> = {
  failure: {
    BAD_REQUEST: 'Lectern этого не понял.',
    FOLDER_NOT_FOUND: 'Этой папки нет, или её нельзя прочитать.',
    FOLDER_KNOWN: 'Эта папка уже в библиотеке, сама или внутри другой.',
    DOCUMENT_NOT_FOUND: 'Этого документа больше нет.',
    DOCUMENT_CHANGED: 'Файл изменился после чтения.',
    DOCUMENT_UNREADABLE: 'Прочитать этот документ не получилось.',
    LIBRARY_NEWER: 'Эту библиотеку записал более новый Lectern. Установите его, чтобы открыть её.',
    LIBRARY_BUSY: 'Этой библиотекой занят другой Lectern. Закройте его и попробуйте снова.',
    LIBRARY_DAMAGED: 'Библиотека была повреждена. Она отложена и строится заново.',
    MODEL_NOT_FOUND: 'Эта модель не установлена.',
    MODEL_INVALID: 'Файлы этой модели отсутствуют или изменены.',
    MODEL_FAILED: 'Модель остановилась, не закончив.',
    MODEL_TOO_LARGE: 'Этой модели нужно больше памяти, чем свободно на этом компьютере.',
    DOWNLOAD_FAILED: 'Скачивание остановилось: узел не отвечает или прислал не то, что обещал.',
    QUESTIONS_INVALID: 'Этот список вопросов не читается.',
    RUN_NOT_FOUND: 'Этого прогона проверки больше нет.',
    ENGINE_GONE: 'Движок чтения остановился, не закончив.',
    INTERNAL: 'В Lectern что-то пошло не так.',
  },
  failureAction: {
    again: 'Попробовать снова',
    change: 'Изменить',
    choose: 'Выбрать другую папку',
    ledger: 'Все документы',
    'read-again': 'Прочитать заново',
    models: 'Посмотреть модели',
    reconnect: 'Попробовать снова',
    reload: 'Загрузить страницу снова',
  },
};
