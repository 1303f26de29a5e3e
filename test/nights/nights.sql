-- nights.sql
--		A history of nights for test/nights/run.sh: all is a function of id, night and a number of the case.
--
-- Variables of psql: call, the function with its arguments; strata, churn (in 1,000 a night), values, nights, salt, units.

CREATE SCHEMA nights;
SET search_path = nights, public;
SET client_min_messages = error;

CREATE FUNCTION word(id int, night int, what int, salt int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN ('x' || substr(md5(format('%s %s %s %s', id, night, what, salt)), 1, 7))::bit(28)::int;
CREATE FUNCTION value(id int, night int, what int, salt int, most int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN CASE WHEN word(id, night, what, salt) % 10 > 0 THEN word(id, night, what + 100, salt) % most END;

CREATE TABLE source (id int PRIMARY KEY, g int, h int, income int, age int, size int);
CREATE TABLE line (no int GENERATED ALWAYS AS IDENTITY, line text);

CREATE PROCEDURE run(call text, columns text[], strata int, churn int, most int, nights int, salt int, units int) LANGUAGE plpgsql AS $$
DECLARE
	list CONSTANT text := (SELECT string_agg(format('coalesce(%I::text, ''N'')', c), ' || '' '' || ') FROM unnest(columns) AS c);
BEGIN
	INSERT INTO source SELECT i, word(i, 0, 1, salt) % strata, word(i, 0, 11, salt) % units, value(i, 0, 2, salt, most), value(i, 0, 3, salt, most), value(i, 0, 4, salt, most)
	FROM generate_series(0, 199) AS i WHERE word(i, 0, 5, salt) % 3 > 0;
	FOR n IN 1 .. nights LOOP
		IF n > 1 THEN
			UPDATE source SET income = value(id, n, 2, salt, most) WHERE word(id, n, 6, salt) % 2000 < churn;
			UPDATE source SET age = value(id, n, 3, salt, most), size = value(id, n, 4, salt, most) WHERE word(id, n, 7, salt) % 3000 < churn;
			UPDATE source SET g = word(id, n, 1, salt) % strata WHERE word(id, n, 8, salt) % 4000 < churn;
			-- who goes may come back under the same id, also in the same night: that is a change
			DELETE FROM source WHERE word(id, n, 9, salt) % 1000 < churn;
			UPDATE source SET h = word(id, n, 11, salt) % units WHERE word(id, n, 12, salt) % 4000 < churn;
			INSERT INTO source SELECT i, word(i, n, 1, salt) % strata, word(i, n, 11, salt) % units, value(i, n, 2, salt, most), value(i, n, 3, salt, most), value(i, n, 4, salt, most)
			FROM generate_series(0, 199) AS i WHERE word(i, n, 10, salt) % 1000 < churn AND i NOT IN (SELECT id FROM source);
		END IF;
		EXECUTE format('SELECT count(*) FROM %s', call);
		INSERT INTO line (line) VALUES ('n');
		EXECUTE format('INSERT INTO line (line) SELECT ''s '' || id || '' '' || g || '' '' || h || '' '' || %1$s FROM source ORDER BY id; INSERT INTO line (line) SELECT ''r '' || id || '' '' || %1$s FROM release ORDER BY id', list);
		COMMIT;
	END LOOP;
END
$$;
CALL run(:'call', :'columns', :strata, :churn, :values, :nights, :salt, :units);
SELECT line FROM line ORDER BY no;
DROP SCHEMA nights CASCADE;
