-- workload.sql - what the SQLite shell is made to do: bulk inserts, indices, joins, aggregates, windows, updates, triggers, text.
-- SPDX-License-Identifier: GPL-3.0-or-later
.bail on
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, balance REAL);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, day INTEGER, amount INTEGER, note TEXT);
CREATE TABLE journal (id INTEGER PRIMARY KEY, what TEXT);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
INSERT INTO customer SELECT i, 'name ' || (i * 7919 % 1500), 'city ' || (i * 31 % 40), i * 37 % 1000 / 8.0 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
INSERT INTO purchase SELECT i, i * 6151 % 1500 + 1, i * 13 % 365, i * i % 997, substr ('abcdefghijklmnopqrstuvwxyz', i % 20 + 1, 5) FROM n;
COMMIT;
CREATE INDEX purchase_customer ON purchase (customer, day);
CREATE INDEX customer_city ON customer (city COLLATE NOCASE);
CREATE TRIGGER noted AFTER UPDATE OF balance ON customer WHEN new.balance > 120
BEGIN INSERT INTO journal (what) VALUES (new.name || ' has ' || new.balance); END;
ANALYZE;
SELECT count(*), sum(amount), min(day), max(day) FROM purchase;
SELECT city, count(DISTINCT c.id), sum(amount) AS total FROM customer c JOIN purchase p ON p.customer = c.id
 GROUP BY city HAVING total > 1000 ORDER BY total DESC, city LIMIT 10;
UPDATE customer SET balance = balance + (SELECT sum(amount) FROM purchase WHERE customer = customer.id) / 50.0 WHERE id % 3 = 0;
SELECT count(*), max(what) FROM journal;
SELECT name, day, amount, rank () OVER (PARTITION BY city ORDER BY amount DESC, p.id) AS r FROM customer c JOIN purchase p ON p.customer = c.id
 WHERE city IN ('city 3', 'CITY 4') ORDER BY city, r, name LIMIT 12;
SELECT note, group_concat (DISTINCT upper (substr (note, 1, 2))), avg (amount), count (*) FROM purchase WHERE note LIKE '%e%' GROUP BY note ORDER BY note;
DELETE FROM purchase WHERE day BETWEEN 100 AND 140 AND customer % 2;
WITH RECURSIVE tree(id, depth, path) AS (SELECT 1, 0, '1' UNION ALL
 SELECT c.id, depth + 1, path || '.' || c.id FROM customer c JOIN tree t ON c.id IN (t.id * 2, t.id * 2 + 1) WHERE depth < 7)
SELECT count(*), max(depth), max(length (path)) FROM tree;
SELECT json_group_array (json_object ('id', id, 'b', balance)) FROM (SELECT id, balance FROM customer WHERE balance > 125 ORDER BY id LIMIT 6);
