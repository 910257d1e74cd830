/**
 * Words that visitors of all kinds of sites use interchangeably: about a shop, an account, a program, a file, a trip,
 * an office. Verbs and their nouns are in one group. Words that often have another sense are left out.
 */
export const synonymGroups: readonly (readonly string[])[] = (
  "купить покупка приобрести, цена стоимость тариф прайс, оплатить оплата платеж платить заплатить, скидка акция промокод купон распродажа, " +
  "доставить доставка привезти, отправить отправка выслать послать переслать, вернуть возврат сдать, отменить отмена аннулировать, " +
  "обменять обмен, заменить замена, изменить изменение поменять менять сменить смена, исправить исправление починить ремонт отремонтировать, " +
  "удалить удаление стереть убрать, добавить добавление вставить внести, создать создание завести, найти поиск искать отыскать, " +
  "запустить запуск стартовать, включить включение активировать активация, выключить выключение отключить отключение деактивировать, " +
  "скачать скачивание загрузить загрузка, установить установка поставить ставить инсталлировать, обновить обновление апгрейд апдейт, " +
  "ошибка сбой проблема неполадка неисправность баг, поломка сломаться неисправность, войти вход авторизация авторизоваться логин, " +
  "регистрация зарегистрироваться, аккаунт профиль, письмо почта email мейл, позвонить звонок телефон, адрес местонахождение, " +
  "помочь помощь поддержка, справка руководство инструкция документация мануал, папка каталог директория, " +
  "картинка изображение рисунок фото фотография снимок, видео видеозапись ролик, кнопка клавиша, экран монитор дисплей, " +
  "настроить настройка конфигурация параметр опция, имя название наименование, переименовать переименование, " +
  "копировать копия копирование дубликат, перенести перенос переместить перемещение, восстановить восстановление, " +
  "сжать сжатие упаковать архивировать архив, распаковать извлечь, сохранить сохранение записать, печать распечатать напечатать, " +
  "доступ право разрешение полномочие, разрешить разрешение позволить, запретить запрет заблокировать блокировка, " +
  "администратор админ root суперпользователь, пользователь юзер, сотрудник работник персонал, клиент покупатель заказчик, " +
  "разработчик программист, компания фирма организация, магазин лавка, срок период длительность, дата день число, " +
  "бесплатно бесплатный даром, дешевый недорогой, дорогой дороговизна, быстро быстрый скорость ускорить, медленно медленный тормозить, " +
  "безопасность безопасный защита защитить, различие отличие отличаться разница, похожий аналогичный аналог, одинаковый совпадать идентичный, " +
  "размер габарит величина, вес масса, оформление внешний, избранное закладка, вкладка таб, список перечень, перевод локализация, " +
  "начать начало приступить, закончить завершить завершение окончание, выбрать выбор выделить, " +
  "просмотр просмотреть посмотреть увидеть, показать показ отобразить отображение, спрятать скрыть, предупредить уведомить уведомление оповестить, " +
  "спросить запросить запрос попросить, пример образец, место расположение размещение, сравнить сравнение, " +
  "причина почему, жалоба пожаловаться претензия, отзыв оценка, собрать сборка, врач доктор, лекарство препарат, болезнь заболевание, " +
  "квартира жилье, машина автомобиль авто, поездка путешествие тур, билет проездной, гостиница отель, ребенок дети, учеба обучение учиться, " +
  "экзамен зачет, зарплата оклад доход, работа вакансия трудоустройство, заявка заявление, договор контракт соглашение, налог сбор пошлина, " +
  "банк банковский, карта карточка, деньги средства, кредит заем ссуда, вклад депозит, счет баланс, " +
  "buy purchase order, price cost fee, pay payment charge, discount coupon promo, deliver delivery ship shipping, return refund, " +
  "cancel cancellation unsubscribe, exchange swap replace, change modify edit alter, fix repair solve, delete remove erase, uninstall remove, " +
  "add insert append, create make build, find search locate, start launch run, stop halt terminate, enable activate, disable deactivate, " +
  "install setup deploy, configure configuration setting option, update upgrade, error bug problem issue failure, broken faulty damaged, " +
  "login log sign authenticate authentication, password credential passphrase, register registration signup, account profile, " +
  "mail email message, call phone telephone, help support assistance, guide manual documentation tutorial, folder directory, " +
  "picture image photo photograph, screen monitor display, show display view, hide conceal, name title, copy duplicate, move transfer migrate, " +
  "backup save, restore recover recovery, compress archive, extract unpack, allow permit grant let, deny forbid reject refuse, block ban prevent, " +
  "access permission right, administrator admin root, employee staff worker, customer client buyer, developer programmer, " +
  "company firm business organization, free gratis, cheap inexpensive, fast quick speed, slow sluggish, safe secure security protect, " +
  "difference differ distinction, similar alike, same identical, size dimension, list listing, begin start, finish end complete, " +
  "choose select pick, notify notification alert warn, ask request, example sample, place location, compare comparison, reason why, " +
  "complaint complain, review feedback rating, doctor physician, medicine drug medication, illness disease, apartment flat, car vehicle, " +
  "trip journey travel, hotel accommodation, child kid, learn study education, job vacancy career, salary wage, contract agreement, " +
  "application program software, computer machine pc, laptop notebook, money fund, loan credit"
)
  .split(", ")
  .map((group) => group.split(" "));
